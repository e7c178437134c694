import * as l10n from '@vscode/l10n';
import { assertNever } from '../common/assertNever.ts';
import type { AutoReason } from '../discovery/catalog/policy.ts';
import { percent, wholeNumber } from './counts.ts';

/** What `"auto"` decided, and why: `auto: on, because it saves 58%`. */
export function autoWords(auto: AutoReason): string {
	switch (auto.kind) {
		case 'saves':
			return l10n.t('auto: on, because it saves {0}', percent(auto.share));
		case 'tooMany':
			return l10n.t(
				'auto: on, because {0} tools are more than the {1} that fit into a request',
				wholeNumber(auto.tools),
				wholeNumber(auto.limit),
			);
		case 'chat':
			return l10n.t('auto: on, because this chat began with it');
		case 'fits':
			if (auto.tools === 0) return l10n.t('auto: off, because there are no tools yet');
			return auto.tools === 1
				? l10n.t('auto: off, because the only tool needs just {0} tokens', wholeNumber(auto.tokens))
				: l10n.t(
						'auto: off, because all {0} tools need just {1} tokens',
						wholeNumber(auto.tools),
						wholeNumber(auto.tokens),
					);
		default:
			return assertNever(auto);
	}
}

/** {@link autoWords} as a sentence. */
export function autoSentence(auto: AutoReason): string {
	return l10n.t('Discovery is set to {0}.', autoWords(auto));
}
