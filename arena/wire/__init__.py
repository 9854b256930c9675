"""The wire: views, actions and events as protocol buffers. Nothing here accepts a state.

The messages of a game follow from the records that it declares: `records` makes descriptions of
them (`message`, `fields`), which are the codec in Python. From the same descriptions, `compiled`
builds the objects of the codec in C (`native`), which writes the same bytes and reads the same
values. `backend` chooses one at import. The .proto files say the same to other languages. Tests
compare both with protobuf's classes, which `scripts/setup` generates in the folder `v1`.
"""
