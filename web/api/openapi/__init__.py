"""The API's description, made from the schemas and operations beside it.

It imports no route: a test holds the two together.
"""
