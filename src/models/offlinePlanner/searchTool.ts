/** Name of the synthetic tool that searches; offered while discovery is on. */
export const SEARCH_TOOL = 'search_tools';
