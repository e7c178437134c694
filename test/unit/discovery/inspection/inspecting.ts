import type { CatalogServer } from '../../../../src/discovery/catalog.ts';
import { DiscoverySession } from '../../../../src/discovery/discoverySession.ts';
import type { DiscoveryPolicy } from '../../../../src/discovery/policy.ts';
import { resultText } from '../../../../src/discovery/toolResult.ts';
import type { Toolset } from '../../../../src/discovery/toolset.ts';
import { office, surfaceOf } from '../fixtures.ts';

/** A chat whose model may look at tools. */
export function inspecting(
	all: readonly CatalogServer[] = office,
	more: Partial<DiscoveryPolicy> = {},
	chosen?: Toolset,
): DiscoverySession {
	return new DiscoverySession(surfaceOf(all, { inspectionTools: true, ...more }, chosen));
}

/** Calls an inspection tool as a model would. */
export async function inspect(
	session: DiscoverySession,
	name: string,
	input: Readonly<Record<string, unknown>> = {},
): Promise<{ text: string; json: unknown; failed: boolean; listing: string | undefined }> {
	const target = session.resolve(name);
	if (target.kind !== 'synthetic') throw new Error(`there is no ${name}`);
	const { result, listing } = await session.execute(target.tool, input);
	const text = resultText(result);
	return { text, json: JSON.parse(text), failed: result.isError, listing };
}
