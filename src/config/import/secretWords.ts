/** Ends of names whose values are secret, in upper snake case. `MAX_TOKENS` and `KEY_PATH` are not among them. */
const secretNameEnd =
	/(^|_)(TOKEN|KEY|ACCESS_KEY_ID|APIKEY|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|PAT|CREDENTIALS?|JWT|AUTHORIZATION|COOKIE)(_\d+)?$/;

/** What stands where a secret has yet to be filled in. */
const placeholder =
	/^<.*>$|^\[.*\]$|^\{\{.*\}\}$|\byour[-_ ]?(own[-_ ])?\w*[-_ ]?(key|token|secret|password|pat|value|here|api)|change[-_ ]?me|replace|insert|placeholder|x{4,}|\*{3}|\.{3}|…|^(api[-_ ]?key|token|secret|password|key|value|todo|tbd)$|[-_ ]here$/i;

/** Settings, not secrets, whatever they are called. */
const trivial = /^(true|false|on|off|yes|no|none|null|undefined|\d{1,4})?$/i;
/** A variable that is read here, or a text that is nothing but one of any kind; a password may well hold `${` by chance. */
const variable = /\$\{(env:[^{}]*|userHome|workspaceFolder(Basename)?)\}|^\$\{[^{}]*\}$/;
const fileName = /^(\.{0,2}[\\/]|~|[A-Za-z]:[\\/])|\.(pem|key|crt|json|ya?ml|txt|env)$/;

/** True for names of variables, headers, options and parameters that hold a secret, in any spelling: `--api-key`, `braveApiKey`. */
export function namesSecret(name: string): boolean {
	const upper = environmentName(name);
	return secretNameEnd.test(upper) && upper !== 'PWD';
}

/** What a value under such a name is. One that is taken from a variable is `plain`: the secret is elsewhere already. */
export function secretKind(name: string, value: string): 'secret' | 'placeholder' | 'plain' {
	const text = value.trim();
	if (variable.test(text) || trivial.test(text)) return 'plain';
	if (placeholder.test(text) || environmentName(text) === environmentName(name)) return 'placeholder';
	return fileName.test(text) ? 'plain' : 'secret';
}

/** A legal name of an environment variable from names of other kinds: `('git-hub', 'apiKey')` gives `GIT_HUB_API_KEY`. */
export function environmentName(...parts: readonly string[]): string {
	const words = parts
		.map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_'))
		.map((part) => part.replace(/^_+|_+$/g, '').toUpperCase())
		.filter((part) => part !== '');
	const name = words.join('_') || 'SECRET';
	return /^\d/.test(name) ? `_${name}` : name;
}
