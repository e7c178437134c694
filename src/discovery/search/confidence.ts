/**
 * A search has three outcomes. It is sure of a tool and loads it; it is not sure, loads nothing and names the closest tools; or no tool shares a word
 * with the query and it finds nothing. A tool is sure from this confidence on.
 */
export const certainty = 0.5;
