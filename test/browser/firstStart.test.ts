import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { slowRegistry } from '../servers/slowRegistry.ts';
import { eventually } from './eventually.ts';
import { configText, openFiles } from './openFiles.ts';
import { workbenchTest } from './workbenchTest.ts';

const config = 'casual_mcp_config.json';
const folder = mkdtempSync(path.join(tmpdir(), 'slow-registry-'));
/** Longer than the row takes to speak of an install. */
const registry = await slowRegistry(folder, 12_000);
const { command, args, env } = registry.npx();
// npm then writes a line for each answer of the registry.
const plain = { command, args, env: { ...env, npm_config_loglevel: 'http' } };
const test = workbenchTest(() => openFiles({ [config]: configText({ servers: { plain } }) }));

describe('a person approves a server that npx has yet to install', () => {
	test('sees in its row that it installs, cancels that, and starts it again', async ({ workbench }) => {
		onTestFinished(async () => {
			await registry[Symbol.asyncDispose]();
			rmSync(folder, { recursive: true, force: true });
		});
		await workbench.openSidebar('Discovery');
		const tree = workbench.tree('Servers');
		await tree.waitForRow('plain', 'Installing, ');
		const secondsShown = async () => {
			const row = (await tree.rows()).find(({ label }) => label === 'plain');
			return Number(/Installing, (\d+) s…/.exec(row?.description ?? '')?.[1]);
		};
		const seconds = await secondsShown();
		await eventually(secondsShown).toBeGreaterThan(seconds);
		await tree.waitForRow('plain', 'fetch GET 200');
		await workbench.screenshot('installing');

		await tree.inlineAction('plain', 'Stop Server');
		await tree.waitForRow('plain', 'Idle');
		await workbench.screenshot('installing-cancelled');

		registry.delayMs = 0;
		await tree.inlineAction('plain', 'Start Server');
		await tree.waitForRow('plain', '1 tool');
		expect(await workbench.notifications()).toEqual([]);
		await workbench.screenshot('installed');
	});
});
