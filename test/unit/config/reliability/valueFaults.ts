import { type Fault, server } from './fault.ts';

/** Values of the wrong type or out of range. */
export const valueFaults: readonly Fault[] = [
	[
		'"true" for true',
		server('"command": "x"', '"defer_loading": "true"'),
		'error 4:18 servers.w.defer_loading: expected true or false, not a string; remove the quotes',
	],
	[
		'word for true',
		server('"command": "x"', '"defer_loading": "yes"'),
		'error 4:18 servers.w.defer_loading: expected true or false, not a string',
	],
	[
		'nothing where a flag stands',
		server('"command": "x"', '"defer_loading": null'),
		'error 4:18 servers.w.defer_loading: expected true or false, not null',
	],
	[
		'one tool pinned without a list',
		server('"command": "x"', '"pinned": "read"'),
		'error 4:11 servers.w.pinned: expected true, false or a list of tool names',
	],
	[
		'alias that is overruled',
		'{ "lazy_mcp": false, "tool_discovery": { "enabled": true } }',
		'warning 1:15 lazy_mcp: has no effect beside tool_discovery.enabled, which wins',
	],
	[
		'pinned of the wrong type',
		server('"command": "x"', '"pinned": 1'),
		'error 4:11 servers.w.pinned: expected true, false or a list of tool names',
	],
	[
		'pinned with a number',
		server('"command": "x"', '"pinned": ["a", 1]'),
		'error 4:17 servers.w.pinned[1]: expected a string, not a number; put it in quotes',
	],
	[
		'number out of range',
		'{ "tool_discovery": { "max_search_results": 26 } }',
		'warning 1:45 tool_discovery.max_search_results: expected a whole number from 1 to 25; 25 is used',
	],
	[
		'number with a fraction',
		'{ "tool_discovery": { "max_active_schemas": 1.5 } }',
		'error 1:45 tool_discovery.max_active_schemas: expected a whole number from 1, or null for no cap',
	],
	[
		'number in quotes',
		'{ "tool_discovery": { "max_manifest_tokens": "2500" } }',
		'error 1:46 tool_discovery.max_manifest_tokens: expected a whole number from 200 to 20000',
	],
	[
		'more tools than are loaded ahead',
		'{ "tool_discovery": { "prefetch": 6 } }',
		'warning 1:35 tool_discovery.prefetch: expected a whole number from 0 to 5; 5 is used',
	],
	[
		'call that comes to nothing known',
		'{ "tool_discovery": { "on_undiscovered_call": "load" } }',
		'error 1:47 tool_discovery.on_undiscovered_call: unknown value "load", expected "error" or "activate"',
	],
	[
		'number beyond all numbers',
		'{ "tool_discovery": { "max_search_results": 1e999 } }',
		'error 1:45 tool_discovery.max_search_results: expected a whole number from 1 to 25',
	],
	[
		'number below nothing',
		'{ "tool_discovery": { "prefetch": -1 } }',
		'warning 1:35 tool_discovery.prefetch: expected a whole number from 0 to 5; 0 is used',
	],
	[
		'"false" for false',
		'{ "tool_discovery": { "enabled": "false" } }',
		'error 1:34 tool_discovery.enabled: expected true or false, not a string; remove the quotes',
	],
	[
		'number for a flag',
		server('"command": "x"', '"defer_loading": 1'),
		'error 4:18 servers.w.defer_loading: expected true or false, not a number',
	],
	[
		'hint of the wrong type',
		server('"command": "x"', '"search_hint": ["a"]'),
		'error 4:16 servers.w.search_hint: expected a string, not a list',
	],
	[
		'tools of the wrong type',
		server('"command": "x"', '"tools": ["t"]'),
		'error 4:10 servers.w.tools: expected an object, not a list',
	],
	[
		'settings of the wrong type',
		'{ "tool_discovery": true }',
		'error 1:21 tool_discovery: expected an object, not true',
	],
];
