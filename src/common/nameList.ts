import * as l10n from '@vscode/l10n';

/** Names in a sentence: `A, B and 3 more`. `count`: how many there are, if `names` has only the first. */
export function nameList(names: readonly string[], most = 5, count = names.length): string {
	const first = names.slice(0, most);
	const more = count - first.length;
	return more > 0 ? l10n.t('{0} and {1} more', first.join(', '), more) : first.join(', ');
}
