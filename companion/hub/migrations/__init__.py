"""The steps that bring a hub's database up to date; Alembic runs them."""
