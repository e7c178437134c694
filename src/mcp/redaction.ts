import type { ServerLaunch } from '../config/launch.ts';

/** Shorter values are words such as `true` or `8080`; hiding them would make a log unreadable and protect nothing. */
const shortestSecret = 8;
/** Names of what is not to be shown. */
export const secretName = /key|token|secret|passw|auth|credential|cookie|session/i;

/** Hides the secrets that a launch declares from what the server writes to its log. */
export function redactorOf(launch: ServerLaunch): (text: string) => string {
	const secrets = secretsOf(launch)
		.filter((value) => value.length >= shortestSecret)
		.sort((a, b) => b.length - a.length);
	return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

function secretsOf(launch: ServerLaunch): string[] {
	if (launch.kind === 'remote') {
		// A header's value is often `Bearer <token>`, and the token alone is what gets echoed.
		return Object.values(launch.headers).flatMap((value) => [value, ...value.split(/\s+/)]);
	}
	return Object.entries(launch.env)
		.filter(([name]) => secretName.test(name) || secretName.test(launch.written?.[name] ?? ''))
		.map(([, value]) => value);
}

/** `--token=abc` and `--token abc` with `***` for the value. */
export function withoutSecrets(args: readonly string[]): string[] {
	return args.map((arg, i) => {
		const [option = '', value] = arg.split(/=(.*)/s);
		if (value !== undefined && secretName.test(option)) return `${option}=***`;
		const before = args[i - 1] ?? '';
		return /^--?[^=]+$/.test(before) && secretName.test(before) && !arg.startsWith('-') ? '***' : arg;
	});
}
