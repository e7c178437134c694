import { expect, test } from 'vitest';
import { networkCause } from '../../../src/common/networkCause.ts';

function coded(code: string, message: string): Error {
	return Object.assign(new Error(message), { code });
}

const refused = (address: string) => coded('ECONNREFUSED', `connect ECONNREFUSED ${address}`);

test.each<[from: string, cause: unknown, code: string, text: string]>([
	[
		'punkpeye/mcp-remote#43',
		coded('ENOTFOUND', 'getaddrinfo ENOTFOUND remote.mcp.server'),
		'ENOTFOUND',
		'getaddrinfo ENOTFOUND remote.mcp.server',
	],
	[
		'nodejs/node#31270',
		coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'),
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'unable to verify the first certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
	],
	[
		'nodejs/node: deps/undici, a connection to localhost, which has two addresses',
		Object.assign(new AggregateError([refused('::1:3000'), refused('127.0.0.1:3000')]), {
			code: 'ECONNREFUSED',
		}),
		'ECONNREFUSED',
		'connect ECONNREFUSED ::1:3000',
	],
	[
		'Node 24, a self-signed certificate',
		coded(
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
		),
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
	],
	[
		'Node 24, https to a port that speaks http',
		coded(
			'ERR_SSL_WRONG_VERSION_NUMBER',
			'40ED4DC54A7F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/openssl/ssl/record/methods/tlsany_meth.c:77:\n',
		),
		'ERR_SSL_WRONG_VERSION_NUMBER',
		'wrong version number (ERR_SSL_WRONG_VERSION_NUMBER)',
	],
	['the fetch standard’s blocked ports', new Error('bad port'), '', 'bad port'],
	['no cause', undefined, '', 'fetch failed'],
])('the cause of a failed fetch (%s)', (_, cause, code, text) => {
	expect(networkCause(new TypeError('fetch failed', { cause }))).toEqual({ code, text });
});

test('a cause that leads back to its error ends', () => {
	const error = new TypeError('fetch failed');
	error.cause = coded('EPIPE', 'write EPIPE');
	(error.cause as Error).cause = error;
	expect(networkCause(error)).toEqual({ code: 'EPIPE', text: 'write EPIPE' });
	expect(networkCause('text')).toEqual({ code: '', text: '' });
});
