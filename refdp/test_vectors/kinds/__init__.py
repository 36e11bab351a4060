"""The six types of groups: what is expected of each case, worked out anew from what the case asks."""
