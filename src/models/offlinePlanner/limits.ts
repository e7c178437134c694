/** Steps of one prompt ("… and then …") that are carried out; each costs at most two searches and one call. */
export const MAX_STEPS = 5;
/** Candidates of a search that are compared by how well the prompt fills them. */
export const MAX_COMPARED = 3;
/** Questions and answers that are chained to one call before the newest message counts as a new request. */
export const MAX_ANSWERS = 8;
/** Characters of a result that are shown; the rest is counted. */
export const MAX_RESULT_CHARS = 4000;
/** Lines of a result that are shown. */
export const MAX_RESULT_LINES = 80;
/** Characters of a server's description that a question or a list repeats. */
export const MAX_DESCRIPTION_CHARS = 200;
/** Brackets in a prompt that are tried as the start of a JSON literal; bounds the work on a pasted wall of brackets. */
export const MAX_JSON_ATTEMPTS = 40;
/** `$ref`s followed from one parameter; a longer chain (or a cycle) counts as an unknown type. */
export const MAX_REFS = 8;
