import * as l10n from '@vscode/l10n';
import type { Path } from './place.ts';
import type { ProblemReport } from './problemReport.ts';

/** Warns of a key that is written out in a server's entry, and says what to do about it; the key itself is never shown. */
export function warnOfSecret(path: Path, report: ProblemReport): void {
	const message = l10n.t(
		'this looks like a key; keep it out of the file and write "{0}" instead, with the key in .env',
		`\${env:NAME}`,
	);
	report.warning(path, message, { reason: { kind: 'literal-key' } });
}
