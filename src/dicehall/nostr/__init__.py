"""Nostr: keys, signed events, relays, and the events of a Mana match."""
