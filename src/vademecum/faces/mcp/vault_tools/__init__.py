"""The vault tool set: notes, sheets and files by their paths, for the agent beside the person."""
