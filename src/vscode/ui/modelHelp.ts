import * as l10n from '@vscode/l10n';
import { hostOf } from '../../common/hosts.ts';
import type { ModelErrorReason } from '../../models/modelError.ts';

/** What the button below a model's failure leads to. */
export type ModelHelp =
	| { readonly to: 'key' | 'configuration' | 'modelPicker' | 'continuation' }
	| { readonly to: 'page'; readonly title: string; readonly url: string };

/** Where credit is added, and limits are raised, by the host of the API. */
const billingPages: Readonly<Record<string, string>> = {
	'api.openai.com': 'https://platform.openai.com/settings/organization/billing',
	'api.anthropic.com': 'https://platform.claude.com/settings/billing',
	'openrouter.ai': 'https://openrouter.ai/settings/credits',
	'api.deepseek.com': 'https://platform.deepseek.com/top_up',
	'api.groq.com': 'https://console.groq.com/settings/billing',
};

/** Where OpenAI verifies an organization, as its refusals say. */
const verificationPage = 'https://platform.openai.com/settings/organization/general';

/** What helps after a failure; `undefined` if only other words or another chat help. `baseUrl`: absent for a model that VS Code offers. */
export function helpAfter(reason: ModelErrorReason, baseUrl: string | undefined): ModelHelp | undefined {
	switch (reason) {
		case 'unauthorized':
		case 'forbidden':
			return baseUrl === undefined ? undefined : { to: 'key' };
		case 'redirected':
		case 'unreachable':
			return baseUrl === undefined ? undefined : { to: 'configuration' };
		case 'notFound':
			return { to: baseUrl === undefined ? 'modelPicker' : 'configuration' };
		case 'noTools':
			return { to: 'modelPicker' };
		case 'payment':
		case 'quota': {
			const url = billingPages[hostOf(baseUrl ?? '') ?? ''];
			return url === undefined ? undefined : { to: 'page', title: l10n.t('Open Billing Page'), url };
		}
		// The answer broke off, or could not begin.
		case 'cut':
		case 'stalled':
		case 'overloaded':
		case 'rateLimited':
		case 'server':
		case 'unknown':
		case 'outputLimit':
		case 'paused':
			return { to: 'continuation' };
		case 'unverified':
			return { to: 'page', title: l10n.t('Verify Organization…'), url: verificationPage };
		default:
			return undefined;
	}
}
