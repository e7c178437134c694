/** Order of two strings by UTF-16 code units: unlike an order by locale, the same on every machine. */
export function compareStrings(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
