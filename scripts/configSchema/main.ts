// Writes media/casual_mcp_config.schema.json: `node scripts/configSchema/main.ts`. A unit test compares the two.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../childProcess.ts';
import { PROJECT_ROOT } from '../projectPaths.ts';
import { editorSchema } from './editorSchema.ts';

const file = path.join(PROJECT_ROOT, 'media/casual_mcp_config.schema.json');
writeFileSync(file, `${JSON.stringify(editorSchema(), null, '\t')}\n`);
await run('biome', ['format', '--write', file]);
