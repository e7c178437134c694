import { expect, test } from 'vitest';
import { explanatoryLine } from '../../../../src/mcp/stdio/explanatoryLine.ts';

test.each([
	[
		'npm, whose last line names a log file',
		`npm error code E404
npm error 404 Not Found - GET https://registry.example/no-such-server - Not found
npm error 404
npm error 404  'no-such-server@*' is not in this registry.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git folder.
npm error A complete log of this run can be found in: /home/me/.npm/_logs/1.log`,
		'404 Not Found - GET https://registry.example/no-such-server - Not found',
	],
	[
		'npm without a network, before version 10',
		`npm ERR! code ECONNREFUSED
npm ERR! syscall connect
npm ERR! errno ECONNREFUSED
npm ERR! FetchError: request to https://registry.example/x failed, reason: connect ECONNREFUSED
npm ERR! If you are behind a proxy, please make sure that the
npm ERR! 'proxy' config is set properly.`,
		'FetchError: request to https://registry.example/x failed, reason: connect ECONNREFUSED',
	],
	[
		'Node.js, whose last line names its version',
		`node:internal/modules/cjs/loader:1143
  throw err;
  ^

Error: Cannot find module '/work/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1140:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.0.0`,
		"Error: Cannot find module '/work/server.js'",
	],
	[
		'Python, whose last line is the error',
		`Traceback (most recent call last):
  File "/work/server.py", line 1, in <module>
    import mcp
ModuleNotFoundError: No module named 'mcp'`,
		"ModuleNotFoundError: No module named 'mcp'",
	],
	[
		'Docker, which ends with how to get help',
		`docker: Error response from daemon: pull access denied for no-such-image.

Run 'docker run --help' for more information`,
		'docker: Error response from daemon: pull access denied for no-such-image.',
	],
	['a server that says it plainly', 'listening\nno API key\n', 'no API key'],
	['a server that says nothing', '\n\n', undefined],
])('of what is written by %s, the reason is found', (_, text, reason) => {
	expect(explanatoryLine(text.split('\n'))).toBe(reason);
});
