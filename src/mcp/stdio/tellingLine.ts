/** Lines that say nothing of the reason: places in code, versions, where to read more, and npm's codes before its words. */
const saysNothing = new RegExp(
	[
		'^at ',
		'^\\^*$',
		'^[{}()[\\],;]*$',
		'^Node\\.js v',
		'^(code|requireStack|errno|syscall|path|address|port): ',
		'A complete log of this run',
		"^(See|Run) '.*--help'",
		'^For more (information|help)',
		'^(code|syscall|errno|path|dest|command|signal) \\S+$',
		'^\\d{3}$',
	].join('|'),
	'i',
);
/** What npm writes before each line of its errors; `ERR!` before npm 10. */
const npmMark = /^npm (error|ERR!)\s*/;
const errorMark = /^(\S*(error|exception)\b|fatal\b|panic\b|docker:)/i;

/** Of the last lines that a process wrote to stderr, the one that says best why it failed; `undefined` where none says anything. */
export function tellingLine(lines: readonly string[]): string | undefined {
	const telling = lines
		.map((line) => ({ line: line.replace(npmMark, '').trim(), isNpm: npmMark.test(line) }))
		.filter(({ line }) => !saysNothing.test(line));
	// npm gives the reason first, and advice after it. Others say last what went wrong.
	const found =
		telling.find(({ isNpm }) => isNpm) ??
		telling.findLast(({ line }) => errorMark.test(line)) ??
		telling.at(-1);
	return found?.line;
}
