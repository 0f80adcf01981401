"""A Cashu mint with two units, mana and loot, and a wallet for it."""
