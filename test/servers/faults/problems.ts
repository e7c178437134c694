import { partialDeepStrictEqual } from 'node:assert';
import type { Fault, FaultExpected, FaultRow } from './fault.ts';

const megabyte = 1024 * 1024;
/** Far above what a busy machine causes, and far below a freeze. The bench has the figures. */
const longestStallMs = 1_000;
/** How much a fault may add to the host's memory, including garbage that is not collected yet. */
const mostMemoryBytes = 192 * megabyte;
/** Longest error message that quotes a server: the quotation and the text around it. */
const longestMessage = 600;

/** What differs from the expectation. */
export function problemsOf(fault: Fault, row: Omit<FaultRow, 'problems'>): string[] {
	const { seen, healthy, stallMs, memoryBytes, orphans } = row;
	const messages = [seen?.message, seen?.fault && 'message' in seen.fault ? seen.fault.message : undefined];
	const checks: readonly (string | undefined)[] = [
		mismatch(seen, { ...fault.expected, ...fault.expectedOver?.[row.transport] }),
		seen && seen.oddLogLines > 0 ? `${seen.oddLogLines} lines of the log are not clean` : undefined,
		healthy.failed > 0 ? `${healthy.failed} calls of the healthy server failed` : undefined,
		healthy.answered === 0 ? 'the healthy server did not answer' : undefined,
		stallMs > longestStallMs ? `the host stood still for ${Math.round(stallMs)} ms` : undefined,
		memoryBytes > mostMemoryBytes ? `the host grew by ${Math.round(memoryBytes / megabyte)} MB` : undefined,
		orphans.length > 0 ? `left over: ${orphans.join('; ')}` : undefined,
		seen?.fault && 'reason' in seen.fault && seen.fault.reason === 'other'
			? `an error without a reason: ${seen.fault.message}`
			: undefined,
		...messages.map((message) => messageProblem(message ?? '')),
	];
	return checks.filter((problem) => problem !== undefined);
}

function mismatch(
	seen: FaultRow['seen'],
	{ faultMessageEnds = '', ...expected }: FaultExpected,
): string | undefined {
	const message = seen?.fault && 'message' in seen.fault ? seen.fault.message : '';
	if (!message.endsWith(faultMessageEnds)) return `expected "… ${faultMessageEnds}", seen "${message}"`;
	try {
		partialDeepStrictEqual(seen, expected);
		return undefined;
	} catch {
		return `expected ${JSON.stringify(expected)}, seen ${JSON.stringify(seen)}`;
	}
}

function messageProblem(message: string): string | undefined {
	if (message.length > longestMessage) return `an error of ${message.length} characters`;
	// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
	return /<\/?[a-z]|[\u0000-\u0009\u001b\u202e\u200b]/.test(message)
		? `an error with markup or control characters: ${JSON.stringify(message)}`
		: undefined;
}
