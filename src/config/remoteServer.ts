import { addressFault, holdsCredentials, isReadableOnTheWay } from './address.ts';
import type { RemoteLaunch } from './launch.ts';
import { holdsLiteralSecret, literalSecretText } from './literalSecret.ts';
import type { Path } from './place.ts';
import type { ProblemReport } from './problemReport.ts';
import type { ServerEntry } from './serverEntry.ts';
import { expandAt, expandValues, type VariableScope } from './variables.ts';

/** Names of HTTP headers (RFC 9110, `token`). */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What `fetch` does not send in a header: control characters, and all beyond Latin-1. */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

/** Reads where a remote server is. What is wrong is reported, and the result is then not to be used. */
export function readRemoteLaunch(
	entry: ServerEntry & { readonly url: string },
	path: Path,
	scope: VariableScope,
	report: ProblemReport,
): RemoteLaunch {
	const url = expandAt([...path, 'url'], entry.url, scope, report);
	const fault = addressFault(url);
	if (fault)
		report.error(
			[...path, 'url'],
			fault,
			holdsCredentials(url) ? { reason: { kind: 'credentials' } } : undefined,
		);
	for (const [name, text] of entry.headers ?? []) {
		if (holdsLiteralSecret(text))
			report.warning([...path, 'headers', name], literalSecretText, { reason: { kind: 'literal-key' } });
	}
	const headers = expandValues([...path, 'headers'], entry.headers ?? new Map(), scope, report);
	for (const [name, text] of Object.entries(headers))
		checkHeader(name, text, [...path, 'headers', name], report);
	if (!fault && entry.headers?.size && isReadableOnTheWay(url)) {
		report.warning([...path, 'url'], 'the headers cross the network unencrypted; use https', {
			reason: { kind: 'unencrypted' },
		});
	}
	return { kind: 'remote', url, transport: transportOf(entry), headers };
}

function transportOf(entry: ServerEntry): RemoteLaunch['transport'] {
	return (entry.transport ?? entry.type) === 'sse' ? 'sse' : 'streamable-http';
}

function checkHeader(name: string, text: string, path: Path, report: ProblemReport): void {
	if (!headerName.test(name)) report.error(path, 'this is not a name that an HTTP header can have', 'key');
	if (unsendable.test(text)) {
		report.error(path, 'a header can hold no line breaks, control characters or characters beyond Latin-1');
	}
}
