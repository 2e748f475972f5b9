"""The hub's own values, and the entries of its tournaments."""

import sqlalchemy as sql
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table("hub", sql.Column("key", sql.String(40), primary_key=True), sql.Column("value", sql.Text))
    op.create_table(
        "entry",
        sql.Column("tournament", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("at", sql.String(40), nullable=False),
        sql.Column("what", sql.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("entry")
    op.drop_table("hub")
