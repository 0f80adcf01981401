"""A player of Mana over Nostr: a person at a terminal, or a bot with a level."""
