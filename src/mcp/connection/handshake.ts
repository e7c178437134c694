import { isRecord, type JsonRecord } from '../../common/json.ts';

/** Capabilities whose members are switches. */
const lists: ReadonlySet<string> = new Set(['tools', 'resources', 'prompts']);

/** Since this revision, a client asks `server/discover` and each request is self-contained. */
export const modernRevision = '2026-07-28';
/** Revisions in which a session begins with `initialize`, the latest first. */
export const legacyRevisions = [
	'2025-11-25',
	'2025-06-18',
	'2025-03-26',
	'2024-11-05',
	'2024-10-07',
] as const;

/** A revision that a refused handshake names, and that was not tried yet. Some servers refuse every revision but their own. */
export function namedRevision(refusal: string, tried: readonly string[]): string | undefined {
	return legacyRevisions.find((revision) => refusal.includes(revision) && !tried.includes(revision));
}

/**
 * The answer to `initialize` as the specification wants it. Servers leave members out, send lists for empty objects, as PHP does, or a version of
 * their own instead of the protocol's: then the one that we have asked for is assumed. What has none of the members is no such answer, and stays as
 * it is.
 *
 * @param requestedVersion the version that we have asked for
 */
export function completeHandshake(result: JsonRecord, requestedVersion: unknown): JsonRecord {
	const { protocolVersion, capabilities, serverInfo, instructions, ...others } = result;
	if ([protocolVersion, capabilities, serverInfo].every((member) => member === undefined)) return result;
	const declared = isRecord(capabilities) ? readCapabilities(capabilities) : {};
	return {
		...others,
		protocolVersion: legacyRevisions.find((revision) => revision === protocolVersion) ?? requestedVersion,
		capabilities: declared,
		serverInfo: readServerInfo(isRecord(serverInfo) ? serverInfo : {}),
		...(typeof instructions === 'string' && { instructions }),
	};
}

function readCapabilities(capabilities: JsonRecord): JsonRecord {
	const declared = Object.entries(capabilities).filter(([, value]) => value !== null && value !== false);
	return Object.fromEntries(
		declared.map(([name, value]) => {
			const members = isRecord(value) ? value : {};
			return [name, lists.has(name) ? switchesOf(members) : members];
		}),
	);
}

function switchesOf(members: JsonRecord): JsonRecord {
	return Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value === 'boolean'));
}

function readServerInfo({ name, version, title, description }: JsonRecord): JsonRecord {
	return {
		name: typeof name === 'string' ? name : '',
		version: typeof version === 'string' || typeof version === 'number' ? String(version) : '',
		...(typeof title === 'string' && { title }),
		...(typeof description === 'string' && { description }),
	};
}
