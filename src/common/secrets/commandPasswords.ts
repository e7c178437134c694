import type { Stretch } from '../text.ts';
import { type SecretSpan, shifted, spanOf, unnamed } from './secretSpan.ts';
import { environmentName } from './secretVerdict.ts';

/** Options of `curl` and others before `user:password`. */
const userOption = /^(-u|-U|--user|--proxy-user)$/;
/** The password that stands at a place. */
export function passwordSpans(owner: string, text: string, password: Stretch): readonly SecretSpan[] {
	const span = spanOf(
		text,
		password,
		unnamed('password', () => environmentName(owner, 'password')),
	);
	return span ? [span] : [];
}

/** Passwords that command lines in a text give to programs that are known: `curl -u user:abc`, `mysql -pabc`. */
export function passwordsInCommands(owner: string, text: string): readonly SecretSpan[] {
	const program = new KnownProgram('');
	let option = '';
	return [...text.matchAll(/[^\s"'`;|&()]+/g)].flatMap(({ 0: word, index }) => {
		const password = program.passwordIn(word, option);
		option = word;
		return password ? passwordSpans(owner, text, shifted(password, index)) : [];
	});
}

/** `user:password`, and neither an address nor numbers of a user and a group. */
const userAndPassword = /^[^\s:@/]{1,64}:(?!\/\/|\d+$)(?=\S)/;
/** What stands before a password that its option is glued to, by the program; a port behind `-p` is not taken for one. */
const gluedPasswords: readonly (readonly [program: RegExp, option: RegExp])[] = [
	[/^(mysql(dump|admin|import|show|check|sh|slap|pump|binlog)?|sshpass)$/, /^-p(?![\d:.]*$)/],
	[/^mariadb(-(dump|admin|import|show|check|slap|binlog))?$/, /^-p(?![\d:.]*$)/],
	[/^curl$/, /^-[uU][^\s:@/]{1,64}:(?!\/\/|\d+$)(?=\S)/],
];
/** Programs that run others as `--user user:group`. */
const containers = /^(docker|podman|nerdctl)(-compose)?$/;

/** The last program that a command line has named, as far as it matters to what its options mean. */
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
