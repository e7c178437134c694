import type { ConfigProblem } from './problemReport.ts';

/** Whether a problem is a key in the file, which can be moved to secret storage. Here, because the start must not load `problemReport.ts`. */
export function isKey({ reason }: Pick<ConfigProblem, 'reason'>): boolean {
	return reason?.kind === 'literal-key' || reason?.kind === 'credentials';
}
