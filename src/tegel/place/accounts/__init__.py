"""Accounts: who somebody is, the names they keep, how they sign in, move and leave."""
