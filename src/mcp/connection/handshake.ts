import { isRecord, type JsonRecord } from '../../common/json.ts';

/** Capabilities whose members are switches. */
const lists: ReadonlySet<string> = new Set(['tools', 'resources', 'prompts']);

/** Versions with a handshake, the latest first. Later ones have none. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** A version that a refused handshake names, and that was not tried yet. Some servers refuse every version but their own. */
export function namedVersion(refusal: string, tried: ReadonlySet<unknown>): string | undefined {
	return versions.find((version) => refusal.includes(version) && !tried.has(version));
}

/**
 * The answer to `initialize` as the specification wants it. Servers leave members out, send lists for empty objects, as PHP does, or a version of
 * their own instead of the protocol's: then the one that we have asked for is assumed. What has none of the members is no such answer, and stays as
 * it is.
 *
 * @param offered the version that we have asked for
 */
export function completeHandshake(result: JsonRecord, offered: unknown): JsonRecord {
	const { protocolVersion, capabilities, serverInfo, instructions, ...others } = result;
	if ([protocolVersion, capabilities, serverInfo].every((member) => member === undefined)) return result;
	const declared = isRecord(capabilities) ? readCapabilities(capabilities) : {};
	return {
		...others,
		protocolVersion: versions.find((version) => version === protocolVersion) ?? offered,
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
