"""The referee of Mana over Nostr: a bot that judges matches between people it has never met, and pays the winners."""
