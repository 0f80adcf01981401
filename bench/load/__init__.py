"""One load for two servers: tables of two people who play Pig as fast as they are answered, or at a fixed pace."""
