import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { runs } from '../../../effort.ts';
import { servers, sessionOf, surfaceOf } from '../../../unit/discovery/fixtures.ts';

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

test('whatever servers come and go, each wire name and each `server:tool` that was told leads to its tool or nowhere', () => {
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
