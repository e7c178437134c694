import { applyEdits } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { combinedEdits, deferTool, pinServer, pinTool } from '../../../../src/config/file/edit.ts';
import { undoEdit } from '../../../../src/config/file/textEdit.ts';

const file = `{
	// My servers
	"servers": {
		"files": { "command": "files", "defer_loading": true },
		"git": { "command": "git", "defer_loading": true },
		"mail": { "command": "mail", "defer_loading": true }
	},
	"tool_discovery": { "enabled": true }
}
`;

/** The file after some of its tools have been pinned. */
function pinned(...tools: readonly (readonly [string, string])[]): string {
	const plans = tools.map(
		([server, tool]) =>
			(text: string) =>
				pinTool(text, server, tool),
	);
	return applyEdits(file, [...(combinedEdits(file, plans) ?? [])]);
}

function backIn(now: string, after: string): string | undefined {
	const edits = undoEdit({ before: file, after }, now);
	return edits && applyEdits(now, [...edits]);
}

describe('several changes combined', () => {
	test('are one edit', () => {
		const after = pinned(['files', 'read'], ['git', 'log'], ['git', 'show']);
		expect(after).toMatch(/"files": .*"pinned": \[\s*"read"\s*\]/s);
		expect(after).toMatch(/"git": .*"pinned": \[\s*"log",\s*"show"\s*\]/s);
		const plans = ['read', 'write'].map((tool) => (text: string) => pinTool(text, 'files', tool));
		expect(combinedEdits(file, plans)).toHaveLength(1);
	});

	test('are no edit when the file already says so, and fail when one of them fails', () => {
		const defer = (text: string) => deferTool(text, 'git', 'log', ['log']);
		expect(combinedEdits(file, [defer])).toEqual([]);
		expect(combinedEdits(file, [defer, (text) => pinServer(text, 'nobody')])).toBeUndefined();
	});
});

describe('given a tool of git was pinned, when that is undone', () => {
	const after = pinned(['git', 'log']);

	test('then the file is byte for byte as before', () => {
		expect(backIn(after, after)).toBe(file);
	});

	test('then other changes before or after it stay', () => {
		const changes: ((text: string) => string)[] = [
			(text) => text.replace('// My servers', '// My servers, all of them'),
			(text) => text.replace('"enabled": true', '"enabled": false'),
			(text) =>
				text.replace('"enabled": true', '"enabled": true, "prefetch": 0').replace('// My servers', ''),
		];
		for (const change of changes) expect(backIn(change(after), after)).toBe(change(file));
	});

	test('then it fails if the same place has changed since', () => {
		expect(backIn(after.replace('"log"', '"log", "show"'), after)).toBeUndefined();
		expect(backIn(file, after)).toBeUndefined();
		expect(backIn('{}', after)).toBeUndefined();
	});

	test('then it fails rather than change another place that looks the same', () => {
		const twice = after.replace('"enabled": true', '"enabled": false').replace('// My servers', '');
		const lookalike = twice + twice;
		expect(backIn(lookalike, after)).toBeUndefined();
	});
});

describe('given two servers were added one after the other', () => {
	const added = (text: string, name: string) =>
		text.replace(/(\n\t\t".*\})(\n\t\},)/, `$1,\n\t\t"${name}": { "command": "${name}" }$2`);
	const undone = (before: string, after: string, now: string) => {
		const edits = undoEdit({ before, after }, now);
		return edits && applyEdits(now, [...edits]);
	};

	test.each(['web', 'mailer'])('then each can be undone first: %s', (other) => {
		const one = added(file, 'maps');
		const both = added(one, other);
		expect(undone(file, one, both)).toBe(added(file, other));
		expect(undone(file, one, added(both, 'time'))).toBe(added(added(file, other), 'time'));
		expect(undone(one, both, both)).toBe(one);
		expect(undone(one, both, added(file, other))).toBe(file);
	});

	test('then a change of the added text itself is still not undone', () => {
		const longer = file.replace('"git",', '"git2",');
		expect(undone(file, longer, longer.replace('"git2",', '"git23",'))).toBeUndefined();
	});
});
