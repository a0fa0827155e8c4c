"""How Alembic runs here: on the connection that `migrate` gives."""

from alembic import context

from tegel.server.storage.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
