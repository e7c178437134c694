import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChatLog } from '../../../../src/discovery/session/chatLog.ts';
import { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { runs, runsTimeout } from '../../../effort.ts';
import { keptLog, servers, sessionOf, surfaceOf } from '../../../unit/discovery/fixtures.ts';

/** Where a call goes: `server:tool`, or nowhere. */
function called(session: DiscoverySession, name: string): string | undefined {
	const target = session.resolve(name);
	return target.kind === 'tool' ? target.tool.id : undefined;
}

/** Everything loads, so that only names decide. */
const off = { enabled: false };
const serverName = fc.constantFrom('a', 'b', 'A', 'a_', 'a b', 'a__b', 'a:b', 'ä', '😀');
const toolName = fc
	.tuple(
		fc.constantFrom('', 'a__', 'b:', 'A__', 'a_b__', 'server__'),
		fc.constantFrom('x', 'X', 'b__x', 'y z'),
	)
	.map((parts) => parts.join(''));
const anyServers = fc
	.uniqueArray(fc.tuple(serverName, toolName), { maxLength: 12, selector: (pair) => pair.join('\0') })
	.map((pairs) => {
		const byServer = Map.groupBy(pairs, ([server]) => server);
		return servers(
			Object.fromEntries([...byServer].map(([name, its]) => [name, its.map(([, tool]) => tool)])),
		);
	});

test('whatever servers change, a wire name or `server:tool` the model read leads to its tool or to none', () => {
	fc.assert(
		fc.property(fc.array(anyServers, { minLength: 2, maxLength: 5 }), (course) => {
			const [first = []] = course;
			const session = sessionOf(first, off);
			const told = new Map<string, Set<string>>();
			for (const now of course) {
				session.surface = surfaceOf(now, off);
				for (const [name, ids] of told) {
					const id = called(session, name);
					if (id !== undefined) expect([...ids]).toContain(id);
				}
				for (const { wireName, id, server, name } of session.surface.tools) {
					for (const full of [wireName, id]) {
						if (told.has(full)) continue;
						// Two tools may share a `server:tool`: then it led nowhere when it was told.
						const meant = called(session, full);
						told.set(full, new Set(meant === undefined ? [] : [`${server}:${name}`]));
					}
				}
			}
		}),
		{ numRuns: runs(30), seed: 16 },
	);
});

test(
	'whatever catalogs change, even across reloads, the name of a called tool leads to that tool or to none',
	() => {
		const step = fc.record({ catalog: anyServers, reloads: fc.boolean(), calls: fc.array(fc.nat(40)) });
		fc.assert(
			fc.property(fc.array(step, { minLength: 2, maxLength: 6 }), (course) => {
				let session = sessionOf([], off);
				const led = new Map<string, string>();
				for (const { catalog, reloads, calls } of course) {
					session.surface = surfaceOf(catalog, off);
					if (reloads) session = new DiscoverySession(session.surface, new ChatLog(keptLog(session)));
					const names = session.surface.tools.flatMap(({ wireName, id, name }) => [
						wireName,
						id,
						// A bare name that reads as a full one means the tool of that full name as soon as there is one.
						...(/^[a-z ]+$/i.test(name) ? [name] : []),
					]);
					for (const name of [...led.keys(), ...calls.flatMap((n) => names[n % names.length] ?? [])]) {
						const target = session.resolve(name);
						if (target.kind !== 'tool') continue;
						const { server, name: its } = target.tool;
						const tool = JSON.stringify([server, its]);
						expect(led.get(name) ?? tool, name).toBe(tool);
						led.set(name, tool);
						session.called(target);
					}
				}
			}),
			{ numRuns: runs(60) },
		);
	},
	runsTimeout(60_000),
);
