import { expect, test } from 'vitest';
import { RegistryError, type RegistryFailure } from '../../../../src/mcp/registry.ts';
import { registryFailureLabels } from '../../../../src/vscode/import/registryFailure.ts';

test.each<[RegistryFailure, boolean, readonly string[]]>([
	[{ kind: 'unreachable' }, true, ['retry', 'openSettings']],
	[{ kind: 'slow', seconds: 10 }, false, ['retry']],
	[{ kind: 'failed', status: 503 }, false, ['retry']],
	[{ kind: 'refused', status: 404 }, true, ['openSettings']],
	[{ kind: 'redirected' }, true, ['openSettings']],
	[{ kind: 'malformed' }, true, ['openSettings']],
	[{ kind: 'large', megabytes: 2 }, false, []],
])(
	'of a registry with the failure %j, the user is sent to the setting: %s, and can %s',
	(failure, doubtsSetting, actions) => {
		const labels = registryFailureLabels(new RegistryError(failure), 'registry.example.com');
		expect(labels.what).toContain('registry.example.com');
		expect(labels.advice?.includes('mcpDiscovery.registry') ?? false).toBe(doubtsSetting);
		expect(labels.actions).toEqual(actions);
	},
);
