import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../../scripts/projectPaths.ts';

/** A class that needs more of ours does several things, and is split by them. */
const MOST_PARTS = 5;

/** A node of the syntax tree. This test reads a few kinds, and their fields by name. */
interface Node {
	readonly type: string;
	readonly [field: string]: unknown;
}

const nodesOf = (value: unknown) => (value ?? []) as readonly Node[];
const nodeOf = (value: unknown) => value as Node | undefined;
const nameOf = (value: unknown) => nodeOf(value)?.name as string | undefined;
const annotationOf = (value: unknown) => nodeOf(nodeOf(nodeOf(value)?.typeAnnotation)?.typeAnnotation);

interface Constructor {
	readonly file: string;
	readonly name: string;
	readonly parameters: readonly Node[];
}

const classes = new Set<string>();
const constructors: Constructor[] = [];
/** Interfaces and type aliases, by file and by name. */
const types = new Map<string, Map<string, Node>>();

for (const found of globSync('src/**/*.ts', { cwd: PROJECT_ROOT })) {
	const file = found.replaceAll(path.sep, '/');
	const { body } = parseAst(readFileSync(path.join(PROJECT_ROOT, file), 'utf8'), { lang: 'ts' });
	for (const statement of body as unknown as readonly Node[]) {
		const declared = nodeOf(statement.declaration) ?? statement;
		const name = nameOf(declared.id) ?? '';
		if (declared.type === 'ClassDeclaration') {
			if (!name.endsWith('Error')) classes.add(name);
			const made = nodesOf(nodeOf(declared.body)?.body).find(({ kind }) => kind === 'constructor');
			constructors.push({ file, name, parameters: nodesOf(nodeOf(made?.value)?.params) });
		}
		if (declared.type === 'TSInterfaceDeclaration' || declared.type === 'TSTypeAliasDeclaration')
			types.set(name, (types.get(name) ?? new Map()).set(file, declared));
	}
}

/** The names of our classes in a type, also those in the fields of an object type. `seen`: names of types around it. */
function classesIn(type: Node | undefined, file: string, seen: readonly string[] = []): readonly string[] {
	const within = (one: unknown) => classesIn(nodeOf(one), file, seen);
	switch (type?.type) {
		case 'TSTypeReference':
		case 'TSInterfaceHeritage': {
			const name = nameOf(type.typeName ?? type.expression) ?? '';
			const [of] = nodesOf(nodeOf(type.typeArguments)?.params);
			if (['Pick', 'Omit', 'Partial', 'Readonly'].includes(name)) return within(of);
			if (classes.has(name)) return [name];
			const known = types.get(name);
			const declared = known?.get(file) ?? [...(known?.values() ?? [])][0];
			return declared && !seen.includes(name) ? classesIn(declared, file, [...seen, name]) : [];
		}
		case 'TSInterfaceDeclaration':
			return [...nodesOf(type.extends), ...nodesOf(nodeOf(type.body)?.body)].flatMap(within);
		case 'TSTypeAliasDeclaration':
			return within(type.typeAnnotation);
		case 'TSTypeLiteral':
			return nodesOf(type.members).flatMap(within);
		case 'TSPropertySignature':
			return within(annotationOf(type));
		case 'TSIntersectionType':
		case 'TSUnionType':
			return nodesOf(type.types).flatMap(within);
		default:
			return [];
	}
}

const counted = constructors
	.filter(({ file }) => file.startsWith('src/vscode/'))
	.map(({ file, name, parameters }) => {
		const all = parameters.flatMap((one) => classesIn(annotationOf(one.left ?? one), file));
		return { name, parts: [...new Set(all)] };
	});

describe('given what each class of the editor takes when it is created', () => {
	test('then it names at most five classes of ours, also inside objects', () => {
		const words = ({ name, parts }: (typeof counted)[number]) => `${name}: ${parts.join(', ')}`;
		expect(counted.filter(({ parts }) => parts.length > MOST_PARTS).map(words)).toEqual([]);
	});

	test('then the count sees through the objects that carry them', () => {
		const handler = counted.find(({ name }) => name === 'RequestHandler');
		expect(handler?.parts.toSorted()).toEqual([
			'CommandAnswers',
			'EditorTools',
			'ModelAnswers',
			'OpenChats',
			'Readiness',
		]);
	});
});
