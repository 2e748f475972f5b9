"""Connected tables, and their finished matches."""

import sqlalchemy as sql
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "connected",
        sql.Column("id", sql.String(8), primary_key=True),
        sql.Column("address", sql.Text, nullable=False),
        sql.Column("code", sql.Text, nullable=False),
        sql.Column("name", sql.Text, nullable=False),
    )
    op.create_table(
        "finished",
        sql.Column("table", sql.String(8), primary_key=True),
        sql.Column("match", sql.String(80), primary_key=True),
        sql.Column("place", sql.Integer, nullable=False),
        sql.Column("summary", sql.Text, nullable=False),
        sql.Column("record", sql.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("finished")
    op.drop_table("connected")
