import { expect, test } from 'vitest';
import type { ModelErrorReason } from '../../../../src/models/modelError.ts';
import { helpAfter } from '../../../../src/vscode/ui/modelHelp.ts';

const own = 'https://api.openai.com/v1';
const elsewhere = 'https://models.example/v1';

/** A reason, where the model is (`undefined`: VS Code offers it), and where the button leads. */
const rows: readonly (readonly [ModelErrorReason, string | undefined, string | undefined])[] = [
	['unauthorized', elsewhere, 'key'],
	['unauthorized', undefined, undefined],
	['forbidden', elsewhere, 'key'],
	['payment', own, 'https://platform.openai.com/settings/organization/billing'],
	['payment', 'https://openrouter.ai/api/v1', 'https://openrouter.ai/settings/credits'],
	['payment', 'https://openrouter.ai.example/api/v1', undefined],
	['payment', undefined, undefined],
	['quota', 'https://api.groq.com/openai/v1', 'https://console.groq.com/settings/billing'],
	['unverified', own, 'https://platform.openai.com/settings/organization/general'],
	['noTools', elsewhere, 'modelPicker'],
	['noTools', undefined, 'modelPicker'],
	['notFound', elsewhere, 'configuration'],
	['notFound', undefined, 'modelPicker'],
	['unreachable', elsewhere, 'configuration'],
	['redirected', elsewhere, 'configuration'],
	['cut', elsewhere, 'continuation'],
	['outputLimit', undefined, 'continuation'],
	['rateLimited', own, 'continuation'],
	['contextTooLong', own, undefined],
];

test.each(rows)('after %s of %s, the button leads to %s', (reason, baseUrl, to) => {
	const help = helpAfter(reason, baseUrl);
	expect(help?.to === 'page' ? help.url : help?.to).toBe(to);
});
