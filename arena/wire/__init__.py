"""The wire: views, actions and events as protocol buffers. Nothing here accepts a state."""
