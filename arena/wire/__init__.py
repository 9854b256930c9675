"""The wire: views, actions and events as protocol buffers. Nothing here accepts a state.

The .proto files define the messages. `scripts/generate_protos` turns them into the tables in `v1`,
and `schema` turns the tables into descriptions (`message`, `fields`): the codec in Python. From the
same descriptions, `compiled` builds the objects of the codec in C (`native`), which writes the same
bytes and reads the same values. `backend` chooses one at import.
"""
