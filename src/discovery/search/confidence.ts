/**
 * A search gives one of three answers: it is sure of a tool and loads it; it is not, loads nothing and names the closest; or no tool
 * shares a word with the query, and there is nothing. From this confidence on a tool is sure.
 */
export const certainty = 0.5;
