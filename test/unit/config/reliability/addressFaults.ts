import { type Fault, server } from './fault.ts';

/** Faults of addresses and of what goes to them. */
export const addressFaults: readonly Fault[] = [
	[
		'address in the place of a server',
		'{ "servers": { "w": "https://x.test/mcp" } }',
		'error 1:21 servers.w: expected an object, not a string',
	],
	[
		'no address',
		server('"url": "weather"'),
		'error 3:8 servers.w.url: expected an address such as "https://example.com/mcp"',
	],
	[
		'javascript address',
		server('"url": "javascript:alert(1)"'),
		'error 3:8 servers.w.url: expected an address that starts with http:// or https://, not javascript:',
	],
	[
		'file address',
		server('"url": "file:///etc/passwd"'),
		'error 3:8 servers.w.url: expected an address that starts with http:// or https://, not file:',
	],
	[
		'data address',
		server('"url": "data:,x"'),
		'error 3:8 servers.w.url: expected an address that starts with http:// or https://, not data:',
	],
	[
		'credentials in an address',
		server('"url": "https://me:pw@x.test"'),
		'error 3:8 servers.w.url: an address can hold no user name or password; send them in "headers"',
	],
	[
		'line break in an address',
		server('"url": "https://x.test/\\na"'),
		'error 3:8 servers.w.url: an address can hold no line breaks or other control characters',
	],
	[
		'line break in a header',
		server('"url": "https://x.test"', `"headers": { "X": "\${env:BROKEN}" }`),
		'error 4:19 servers.w.headers.X: a header can hold no line breaks, control characters or characters beyond Latin-1',
	],
	[
		'impossible header',
		server('"url": "https://x.test"', '"headers": { "X Y": "a" }'),
		'error 4:14 servers.w.headers["X Y"]: this is not a name that an HTTP header can have',
	],
	[
		'headers in the clear',
		server('"url": "http://x.test"', '"headers": { "X": "a" }'),
		'warning 3:8 servers.w.url: the headers cross the network unencrypted; use https',
	],
	[
		'unknown transport',
		server('"url": "https://x.test"', '"transport": "htpp"'),
		'error 4:14 servers.w.transport: unknown value "htpp", expected "streamable-http", "http" or "sse"; did you mean "http"?',
	],
	[
		'websocket address',
		server('"url": "wss://x.test"'),
		'error 3:8 servers.w.url: expected an address that starts with http:// or https://, not wss:',
	],
	[
		'address of the wrong type',
		server('"url": { "href": "https://x.test" }'),
		'error 3:1 servers.w.url: expected a string, not an object',
	],
	[
		'address empty',
		server('"url": ""'),
		'error 3:8 servers.w.url: expected an address such as "https://example.com/mcp"',
	],
	[
		'user without a password in an address',
		server('"url": "https://me@x.test"'),
		'error 3:8 servers.w.url: an address can hold no user name or password; send them in "headers"',
	],
	[
		'key in an address',
		server('"url": "https://x.test/mcp?api_key=a1b2c3d4e5f6"'),
		`warning 3:8 servers.w.url: this looks like a key; keep it out of the file and write "\${env:NAME}" instead, with the key in .env`,
	],
	[
		'line break in a written header',
		server('"url": "https://x.test"', '"headers": { "X": "a\\r\\nY: b" }'),
		'error 4:19 servers.w.headers.X: a header can hold no line breaks, control characters or characters beyond Latin-1',
	],
	[
		'header beyond Latin-1',
		server('"url": "https://x.test"', '"headers": { "X": "🙂" }'),
		'error 4:19 servers.w.headers.X: a header can hold no line breaks, control characters or characters beyond Latin-1',
	],
	[
		'header of the wrong type',
		server('"url": "https://x.test"', '"headers": { "X": 1 }'),
		'error 4:19 servers.w.headers.X: expected a string, not a number; put it in quotes',
	],
	[
		'headers in the clear to an address of the network',
		server('"url": "http://192.168.1.2:8000"', '"headers": { "X": "a" }'),
		'warning 3:8 servers.w.url: the headers cross the network unencrypted; use https',
	],
	[
		'transport of the wrong type',
		server('"url": "https://x.test"', '"transport": true'),
		'error 4:14 servers.w.transport: expected "streamable-http", "http" or "sse", not true',
	],
];
