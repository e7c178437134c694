/** Steps of one prompt ("… and then …") that are carried out; each costs at most two searches and one call. */
export const maxSteps = 5;
/** Candidates of a search that are compared by how well the prompt fills them. */
export const maxCompared = 3;
/** Candidates that are looked at for some that do what the request asks for. */
export const maxConsidered = 12;
/** Questions and answers that are chained to one call before the newest message counts as a new request. */
export const maxAnswers = 8;
/** Characters of a result that are shown; the rest is counted. */
export const maxResultChars = 4000;
/** Lines of a result that are shown. */
export const maxResultLines = 80;
/** Characters of a server's description that a question or a list repeats. */
export const maxDescriptionChars = 200;
/** Brackets in a prompt that are tried as the start of a JSON literal; bounds the work on a pasted wall of brackets. */
export const maxJsonAttempts = 40;
/** `$ref`s followed from one parameter; a longer chain (or a cycle) counts as an unknown type. */
export const maxRefs = 8;
