/** Scores of tools for a text, by the tool's place in the corpus; tools that do not match are absent. */
export type Scores = ReadonlyMap<number, number>;

/** Scores a corpus for a text. Higher is better; scores of two rankers cannot be compared. */
export type Ranker = (text: string) => Scores;
