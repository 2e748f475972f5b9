"""The migrations of a hub's database; Alembic runs them."""
