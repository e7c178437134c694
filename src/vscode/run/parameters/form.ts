import { visible } from '../../../common/invisible.ts';
import { nameVerdict } from '../../../common/secrets/secretVerdict.ts';
import { isRecord, type JsonRecord } from '../../../discovery/record.ts';
import { folded } from '../../../discovery/text.ts';
import type { JsonSchema } from '../../../discovery/tool.ts';
import { askingOf } from './askingOf.ts';
import type { Asking, Form, Parameter } from './parameter.ts';
import { resolvedSchema } from './resolveSchema.ts';
import { rulesOf } from './rules.ts';

/** Characters of a description that fit above an input. */
const descriptionLength = 300;
/** Parameters that are asked for one by one; who meant more meant JSON. */
const mostParameters = 200;
/** What single parameters are checked with: the parts of the schema that they can refer to, and none of its demands on the whole. */
const sharedKeywords = ['$schema', '$id', '$defs', 'definitions', 'properties'];
/** Keywords by which a schema can ask for more than its properties show. */
const openKeywords = ['anyOf', 'oneOf', 'allOf', 'patternProperties', '$ref'];

/** What there is to ask for a tool's arguments, from its input schema, which is somebody else's and may be anything. */
export function formOf(inputSchema: JsonSchema): Form {
	const root: JsonRecord = isRecord(inputSchema) ? inputSchema : {};
	const own = resolvedSchema(root, root);
	const properties = isRecord(own.properties) ? own.properties : {};
	const required = Array.isArray(own.required) ? own.required.filter((name) => typeof name === 'string') : [];
	const names = new Set([
		...Object.keys(properties).filter((name) => required.includes(name)),
		...required,
		...Object.keys(properties),
	]);
	// To assign to this name is to change what an object is made from.
	names.delete('__proto__');
	const parameters = [...names].slice(0, mostParameters).map((name) => {
		const schema = Object.hasOwn(properties, name) ? properties[name] : {};
		return parameterOf(name, schema, required.includes(name), root);
	});
	const shared = sharedKeywords.filter((keyword) => Object.hasOwn(own, keyword));
	const eachSchema = Object.fromEntries(shared.map((keyword) => [keyword, own[keyword]]));
	return { parameters, open: isOpen(own, parameters), eachSchema };
}

function parameterOf(name: string, schema: unknown, required: boolean, root: JsonRecord): Parameter {
	const own = resolvedSchema(schema, root);
	const asking = withoutNull(askingOf(schema, root), required, own);
	const { title, description, examples } = own;
	const words = [description, title].find((text) => typeof text === 'string' && text.trim() !== '');
	const example = Array.isArray(examples) ? examples[0] : undefined;
	return {
		name,
		description: typeof words === 'string' ? folded(visible(words), descriptionLength) : '',
		required,
		asking,
		rules: rulesOf(own, asking),
		...(Object.hasOwn(own, 'default') && own.default !== null && { default: own.default }),
		...(example !== undefined && { example }),
		secret: own.format === 'password' || own.writeOnly === true || nameVerdict(name) === 'secret',
	};
}

/** Nothing is what an optional parameter has when it is left out, so nobody need be asked whether it is to be nothing. */
function withoutNull(asking: Asking, required: boolean, { default: byDefault = null }: JsonRecord): Asking {
	if (required || asking.kind !== 'forms' || byDefault !== null) return asking;
	const forms = asking.forms.filter(({ kind }) => kind !== 'null');
	const [only, ...others] = forms;
	return only && others.length === 0 ? only : { kind: 'forms', forms };
}

function isOpen(schema: JsonRecord, parameters: readonly Parameter[]): boolean {
	if (parameters.length > 0) return false;
	const { additionalProperties } = schema;
	const admits = additionalProperties === true || isRecord(additionalProperties);
	return admits || openKeywords.some((keyword) => Object.hasOwn(schema, keyword));
}
