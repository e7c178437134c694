import type { Stretch } from '../text.ts';
import { type SecretSpan, shifted, spanOf, unnamed } from './secretSpan.ts';
import { environmentName } from './secretVerdict.ts';

/** Options that take `user:password`, of `curl` and others. */
const userOption = /^(-u|-U|--user|--proxy-user)$/;
export function passwordSpans(owner: string, text: string, password: Stretch): readonly SecretSpan[] {
	const span = spanOf(
		text,
		password,
		unnamed('password', () => environmentName(owner, 'password')),
	);
	return span ? [span] : [];
}

/** Passwords that command lines in a text pass to known programs: `curl -u user:abc`, `mysql -pabc`. */
export function passwordsInCommands(owner: string, text: string): readonly SecretSpan[] {
	const program = new KnownProgram('');
	let option = '';
	return [...text.matchAll(/[^\s"'`;|&()]+/g)].flatMap(({ 0: word, index }) => {
		const password = program.passwordIn(word, option);
		option = word;
		return password ? passwordSpans(owner, text, shifted(password, index)) : [];
	});
}

/** `user:password`, but not an address, or numeric ids of a user and a group. */
const userAndPassword = /^[^\s:@/]{1,64}:(?!\/\/|\d+$)(?=\S)/;
/** The part of an option before its attached password, by program. `-p` with a port is not a password. */
const gluedPasswords: readonly (readonly [program: RegExp, option: RegExp])[] = [
	[/^(mysql(dump|admin|import|show|check|sh|slap|pump|binlog)?|sshpass)$/, /^-p(?![\d:.]*$)/],
	[/^mariadb(-(dump|admin|import|show|check|slap|binlog))?$/, /^-p(?![\d:.]*$)/],
	[/^curl$/, /^-[uU][^\s:@/]{1,64}:(?!\/\/|\d+$)(?=\S)/],
];
/** Programs that take `--user user:group`. */
const containers = /^(docker|podman|nerdctl)(-compose)?$/;

/** The last program named in a command line, if it changes what options mean. */
export class KnownProgram {
	#glued: RegExp | undefined;
	#isContainer = false;

	constructor(command: string) {
		this.#see(command);
	}

	/** The password in the next word of the command line. */
	passwordIn(word: string, option: string): Stretch | undefined {
		this.#see(word);
		const lead =
			this.#glued?.exec(word) ??
			(userOption.test(option) && !this.#isContainer ? userAndPassword.exec(word) : undefined);
		return lead ? { start: lead[0].length, end: word.length } : undefined;
	}

	#see(word: string): void {
		const name = /([\w-]{1,32})(?:\.exe)?$/i.exec(word.slice(-40))?.[1] ?? '';
		const glued = gluedPasswords.find(([program]) => program.test(name))?.[1];
		if (!glued && !containers.test(name)) return;
		this.#glued = glued;
		this.#isContainer = glued === undefined;
	}
}
