"""Alembic's entry point: runs the migrations over the connection that ``companion.plugins.hub.store`` opened."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
