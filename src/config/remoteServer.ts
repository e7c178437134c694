import * as l10n from '@vscode/l10n';
import { holdsSecret, spansInText, spansOfValue } from '../common/secrets/secretSpans.ts';
import { addressFault, addressReason, holdsControls, isReadableOnTheWay } from './address.ts';
import type { RemoteLaunch } from './launch.ts';
import { warnOfSecret } from './literalSecretWarning.ts';
import type { Path } from './place.ts';
import type { ProblemReport } from './problemReport.ts';
import type { ServerEntry } from './serverEntry.ts';
import { expandAt, expandValues, expandVariables, originOf, type VariableScope } from './variables.ts';

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
	// What is still a variable is no address, but that has been told by now.
	const isSet = expandVariables(entry.url, scope).unset.length === 0;
	const fault = isSet ? addressFault(url) : undefined;
	if (fault) report.error([...path, 'url'], fault, addressReason(url));
	else if (holdsSecret(spansInText('', entry.url))) warnOfSecret([...path, 'url'], report);
	for (const [name, text] of entry.headers ?? []) {
		if (holdsSecret(spansOfValue('', name, text))) warnOfSecret([...path, 'headers', name], report);
	}
	const headers = expandValues([...path, 'headers'], entry.headers ?? new Map(), scope, report);
	for (const [name, text] of Object.entries(headers))
		checkHeader(name, text, [...path, 'headers', name], report);
	if (!fault && isSet && entry.headers?.size && isReadableOnTheWay(url)) {
		const message = l10n.t('the headers cross the network unencrypted; use https');
		report.warning([...path, 'url'], message, { reason: { kind: 'unencrypted' } });
	}
	const texts = [...(entry.headers ?? [])];
	const origin = originOf([entry.url, ...texts.map(([, text]) => text)], scope, (asWritten) => ({
		url: asWritten(entry.url),
		headers: Object.fromEntries(texts.map(([name, text]) => [name, asWritten(text)])),
	}));
	return { kind: 'remote', url, transport: transportOf(entry), headers, ...origin };
}

function transportOf(entry: ServerEntry): RemoteLaunch['transport'] {
	return (entry.transport ?? entry.type) === 'sse' ? 'sse' : 'streamable-http';
}

/** Reports what keeps a header from being sent. */
export function checkHeader(name: string, text: string, path: Path, report: ProblemReport): void {
	if (!headerName.test(name)) {
		report.error(path, l10n.t('this is not a name that an HTTP header can have'), 'key');
	}
	if (unsendable.test(text)) {
		report.error(
			path,
			l10n.t('a header can hold no line breaks, control characters or characters beyond Latin-1'),
			holdsControls(text) ? { reason: { kind: 'control-characters' } } : undefined,
		);
	}
}
