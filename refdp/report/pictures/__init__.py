"""Pictures of what claims say, drawn with matplotlib from the code's own enclosures; nothing retypes a formula."""
