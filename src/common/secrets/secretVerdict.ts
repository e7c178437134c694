import { Memo } from '../memo.ts';

/** What a name says about its value: it is a secret, it is one if it looks random, or nothing. */
export type NameVerdict = 'secret' | 'perhaps' | 'plain';

/** What a named value is. `placeholder`: a secret still has to be filled in. */
export type ValueVerdict = 'secret' | 'placeholder' | 'plain';

/** Every name of a secret contains one of these. Most names contain none and need no closer look. */
export const secretNameHints: readonly string[] =
	'key tok sec pas pwd pat cre jwt aut coo ses sid sig psk otp pin sal see bea has phr cod mne ken'.split(
		' ',
	);
const hint = new RegExp(secretNameHints.join('|'), 'i');

/** Last words of the names of secrets. */
const secretWords = new Set(
	(
		'TOKEN SECRET SECRETS PASSWORD PASSWORDS PASSWD PASSWRD PASSPHRASE PASSCODE PASSWORT KENNWORT PASS PWD PAT CREDENTIAL CREDENTIALS CREDS CRED JWT ' +
		'APIKEY KEY AUTHORIZATION COOKIE COOKIES BEARER PSK OTP TOTP MNEMONIC'
	).split(' '),
);
/** Last words of the names of secrets and of much else. */
const doubtfulWords = new Set(
	'AUTH SESSION SESSIONID SESSID PHPSESSID SID SIG SIGNATURE SALT SEED'.split(' '),
);

/** Two or three words that together name a secret, although the last one alone does not. */
const secretEnds =
	/(^|_)(ACCESS_KEY_ID|SECRET_ID|SECRET_KEY_BASE|API_HASH|(API|ACCESS|SECRET|PRIVATE|AUTH)_KEYS|(API|ACCESS|AUTH|BEARER|REFRESH|SERVICE|SESSION|BOT)_TOKENS|(SEED|RECOVERY|SECRET|BACKUP)_PHRASE|(ACCESS|RECOVERY|SECURITY|VERIFICATION)_CODE|(CARD|SIM|USER|LOGIN|ACCESS|SECURITY)_PIN|(REDISCLI|REDIS|NPM_CONFIG)_AUTH)$/;

/** Joined words that name secrets: `PGPASSWORD`, `NGROK_AUTHTOKEN`. */
const gluedEnd =
	/(PASSWORD|PASSWD|PASSPHRASE|PASSCODE|SECRET|CREDENTIALS?|TOKEN|(API|SECRET|ACCESS|PRIVATE|AUTH|ENCRYPTION|MASTER|SIGNING|SSH|LICENSE|APP|SERVICE|SUBSCRIPTION|ACCOUNT|ADMIN)KEY|(SSH|PG|DB|USER|SMTP|MAIL|FTP|ROOT|ADMIN|REDIS|MYSQL|MONGO)(PASS|PWD))$/;
/** Tokens and keys of other kinds: in lists, models and tables. */
const harmlessTokens =
	/^(NEXT|PREV|PREVIOUS|PAGE|PAGINATION|CONTINUATION|CONTINUE|START|END|STOP|EOS|BOS|PAD|UNK|MASK|SEP|CLS|MAX|MIN|LAST|FIRST|CURSOR|DELTA|SYNC|SPECIAL|DESIGN)+$/;
const harmlessKeys = new Set(
	(
		'PUBLIC PUB PUBLISHABLE PRIMARY FOREIGN PARTITION SORT CACHE HOT SHORTCUT PROJECT ISSUE EPIC SPACE BOARD TEAM OBJECT INDEX ROW ' +
		'COLUMN MAP TABLE GROUP TOPIC CONFIG TEMPLATE LOCALE ORDER FIELD JSON MESSAGE IDEMPOTENCY TRANSLATION FEATURE UNIQUE COMPOSITE ' +
		'NATURAL LOOKUP RANGE KNOWN PARENT ENTITY LABEL VARIABLE ATTRIBUTE META MODIFIER COMMAND ENTER ESCAPE ITEM DOC DOCUMENT DEDUP ' +
		'KIND TYPE STATUS RECORD SHARD QUERY SETTING REGISTRY CONTEXT STATE'
	).split(' '),
);
const harmlessPasses = new Set('BY MULTI SINGLE FIRST SECOND LOW HIGH BAND TWO ONE PROXY'.split(' '));

/** Suffixes that change nothing: `API_KEY_PROD`, `TOKEN_2`. */
const variants =
	/^(\d+|V\d+|PROD|PRODUCTION|DEV|DEVELOPMENT|STAGING|TEST|LIVE|SANDBOX|LOCAL|MAIN|SECONDARY|OLD|NEW|CURRENT|PREVIOUS|BACKUP|FALLBACK|VALUE|B64|BASE64|HEX|RAW|PLAIN|PLAINTEXT|STRING|DEFAULT|RO|RW|READONLY)$/;
/** Words that make it a name of something about a secret: `TOKEN_URL`, `PASSWORD_FILE`. */
const descriptiveWords =
	/^(FILE|FILES|PATH|DIR|FOLDER|NAME|URL|URI|HOST|PORT|ENDPOINT|TYPE|KIND|LENGTH|LIMIT|LIMITS|COUNT|TTL|AGE|EXPIRY|EXPIRES|EXPIRATION|TIMEOUT|POLICY|MANAGER|ARN|REF|STORE|STORAGE|FIELD|HEADER|PREFIX|SUFFIX|ENV|VAR|PROVIDER|ROTATION|VERSION|ID|IDS|FORMAT|ALGORITHM|ALG|SIZE|MIN|MAX|BUDGET|RATE|ISSUER|AUDIENCE|SCOPE|SCOPES|REALM|REGION|NAMESPACE|CACHE|ENABLED|DISABLED|REQUIRED|ENCODING|STRATEGY|RETRY|INTERVAL|REFRESH|COMMAND|CMD|HELPER|PROMPT|LOCATION|BACKEND|METHOD|MODE|OPTIONS|USAGE|HASH|CHECK|POLICIES|MODEL|ADDRESS|STDIN)$/;

/** Names of variables, headers, options, parameters and members, in any spelling: `--api-key`, `braveApiKey`, `X-Api-Key`. */
export function nameVerdict(name: string): NameVerdict {
	return hint.test(name) ? verdicts.get(name, () => verdictOnName(name)) : 'plain';
}

/** A text repeats the same few names. One with a million different names must not fill the memory. */
const verdicts = new Memo<string, NameVerdict>(1_000);

function verdictOnName(name: string): NameVerdict {
	const words = environmentName(name).split('_');
	while (words.length > 1 && variants.test(words.at(-1) ?? '')) words.pop();
	const upper = words.join('_');
	const last = words.at(-1) ?? '';
	const previous = words.at(-2);
	// Shells keep the working directory in `PWD`, but connection strings have a password in `Pwd`.
	if (name === 'PWD' || name === 'OLDPWD') return 'plain';
	if (secretEnds.test(upper)) return 'secret';
	if (secretWords.has(last)) return verdictOnWord(last, previous);
	if (gluedEnd.test(last)) return harmlessTokens.test(last.replace(/TOKEN$/, '')) ? 'plain' : 'secret';
	if (doubtfulWords.has(last)) return 'perhaps';
	if (/(^|_)SESSION_ID$/.test(upper)) return 'perhaps';
	const holdsOne =
		words.some((word) => word !== 'KEY' && secretWords.has(word)) || /(^|_)API_KEY_/.test(upper);
	return holdsOne && !words.some((word) => descriptiveWords.test(word)) ? 'perhaps' : 'plain';
}

function verdictOnWord(word: string, previous: string | undefined): NameVerdict {
	switch (word) {
		case 'KEY':
			if (previous === undefined) return 'perhaps';
			return harmlessKeys.has(previous) ? 'plain' : 'secret';
		case 'TOKEN':
			return previous !== undefined && harmlessTokens.test(previous) ? 'plain' : 'secret';
		case 'PASS':
			return previous !== undefined && harmlessPasses.has(previous) ? 'plain' : 'secret';
		default:
			return 'secret';
	}
}

const placeholder =
	/^<.*>$|^\[.*\]$|^\{\{.*\}\}$|\byour[-_ ]?(own[-_ ])?\w*[-_ ]?(key|token|secret|password|pat|value|here|api)|change[-_ ]?me|replace|insert|placeholder|x{4,}|\*{3}|\.{3}|…|^(api[-_ ]?key|token|secret|password|key|value|todo|tbd)$|^(my|some|example|sample|dummy|fake)[-_ ]?(api[-_ ]?)?(key|token|secret|password)$|[-_ ]here$/i;
/** Plain settings, whatever their name. */
const trivial =
	/^(true|false|on|off|yes|no|none|null|nil|n\/a|undefined|enabled|disabled|anonymous|\[object Object\]|\d{1,4}|0x[0-9a-f]+|[~^<>=v]*\d+(\.\d+){1,3})?$/i;
/** Names under which a number may be a secret. Elsewhere, four digits are a year or a port. */
const numericSecret = /pass|pwd|pin|otp|code/i;
/** A variable of ours, or nothing but a variable of any kind. A password may contain `${` by chance. */
const variable =
	/\$\{(env:[^{}]*|userHome|workspaceFolder(Basename)?)\}|^\$\{[^{}]*\}$|^\$[A-Z_][A-Z0-9_]*$|^\$env:\w+$|^%\w+%$/;
/** References to secrets that another program stores. */
const reference = /^(op|vault|keychain|keyring|aws-?sm|gcp-?sm|ssm|bws|doppler|infisical|env|file):/i;
const fileName = /^(\.{1,2}[\\/]|~[\\/]|[A-Za-z]:[\\/])|\.(pem|key|crt|json|ya?ml|txt|env)$/;

/** What a named value is. A value read from a variable is `plain`: the secret is already elsewhere. */
export function valueVerdict(name: string, value: string, byName = nameVerdict(name)): ValueVerdict {
	const text = value.trim();
	if (byName === 'plain' || variable.test(text) || reference.test(text)) return 'plain';
	if (trivial.test(text)) return /^\d{4}$/.test(text) && numericSecret.test(name) ? 'secret' : 'plain';
	if (placeholder.test(text) || isName(name, text)) return 'placeholder';
	if (fileName.test(text) || isPath(text)) return 'plain';
	return byName === 'secret' || looksRandom(text) || isUserAndPassword(name, text) ? 'secret' : 'plain';
}

function isName(name: string, text: string): boolean {
	return text.length <= 2 * name.length + 2 && environmentName(text) === environmentName(name);
}

/** `/home/ada/key`, but not a Base64 key that begins with a slash. */
function isPath(text: string): boolean {
	if (!text.startsWith('/')) return false;
	return !(text.length >= 20 && (/[+=]/.test(text) || (!text.includes('/', 1) && looksRandom(text))));
}

/** What `curl --user` takes, under names such as `BASIC_AUTH`. */
function isUserAndPassword(name: string, text: string): boolean {
	return /auth$/i.test(name) && /^[^\s:@/]+:(?!\d+$)[^\s@/]+$/.test(text);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What nobody would write by hand: alternating letters and digits, or long and mixed. Not `us-east-1` or `gpt-4.1`. */
export function looksRandom(text: string): boolean {
	if (/\s/.test(text) || text.includes('://')) return false;
	return uuid.test(text) || text.split(/[^A-Za-z0-9]+/).some(isRandomPart);
}

/** `application/token+jwt`, `urn:oauth:x509`. */
const words = /^[A-Za-z]+\d{0,4}(?:[:/+._-][A-Za-z]+\d{0,4})+$/;

/** What a program would hardly assign to the name of a secret, were it none: long enough, one word, and not only letters. */
export function looksLikeKey(text: string): boolean {
	if (/[\s|]|\$\{|#\{|\{\{/.test(text) || words.test(text)) return false;
	return looksRandom(text) || (text.length >= 8 && /[A-Za-z]/.test(text) && /[\d!@#$%^&*]/.test(text));
}

function isRandomPart(part: string): boolean {
	if (part.length < 6 || !/\d/.test(part) || !/[A-Za-z]/.test(part)) return isLongMixedCase(part);
	return part.length >= 16 || (part.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0) >= 3;
}

/** `aBcDEfgH…` without a digit. In `camelCaseNames` every capital begins a word. */
function isLongMixedCase(part: string): boolean {
	const isCamelCase = /^[a-z]*(?:[A-Z][a-z]+)*$/.test(part);
	return part.length >= 20 && !isCamelCase && (part.match(/[a-z][A-Z]/g)?.length ?? 0) >= part.length / 6;
}

/** Makes a valid environment variable name from other names: `('git-hub', 'apiKey')` gives `GIT_HUB_API_KEY`. */
export function environmentName(...parts: readonly string[]): string {
	const words = parts
		.map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_'))
		.map((part) => part.replace(/^_|_$/g, '').toUpperCase())
		.filter((part) => part !== '');
	const name = words.join('_') || 'SECRET';
	return /^\d/.test(name) ? `_${name}` : name;
}
