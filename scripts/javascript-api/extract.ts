import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  type IConfigFile,
} from '@microsoft/api-extractor'
import { type ApiItem, ApiModel } from '@microsoft/api-extractor-model'

/** The declarations behind an entry point. */
export interface EntryPoint {
  /** Module specifier, such as `petstore-sandbox/node`. */
  readonly specifier: string
  readonly items: readonly ApiItem[]
}

/** The paths in the exports map that have types, and their declaration files in dist/types. */
export type TypedExports = Readonly<Record<string, string>>

/**
 * Reads declaration files with API Extractor.
 *
 * @param root Path of the repository.
 * @throws {Error} If API Extractor cannot analyse a declaration file.
 */
export async function extractEntryPoints(
  root: string,
  packageName: string,
  typedExports: TypedExports,
): Promise<EntryPoint[]> {
  const temporary = await mkdtemp(join(tmpdir(), 'petstore-sandbox-api-'))
  try {
    const configs = Object.entries(typedExports).map(([path, types]) => {
      const specifier = path === '.' ? packageName : `${packageName}${path.slice(1)}`
      const modelFile = join(temporary, `${specifier.replaceAll('/', '_')}.api.json`)
      return { specifier, modelFile, config: createConfig(root, types, modelFile) }
    })
    // One compiler reads all entry points; they share most of their declarations.
    const [first, ...others] = configs
    if (first === undefined) return []
    const additionalEntryPoints = others.map(({ config }) => config.mainEntryPointFilePath)
    const compilerState = CompilerState.create(first.config, { additionalEntryPoints })
    return configs.map(({ specifier, modelFile, config }) => {
      extract(config, compilerState)
      return { specifier, items: readItems(modelFile) }
    })
  } finally {
    await rm(temporary, { recursive: true })
  }
}

function createConfig(root: string, types: string, modelFile: string): ExtractorConfig {
  const entryPoint = join(root, types)
  const configObject: IConfigFile = {
    projectFolder: root,
    mainEntryPointFilePath: entryPoint,
    compiler: {
      overrideTsconfig: {
        compilerOptions: {
          target: 'es2023',
          lib: ['es2023', 'dom', 'dom.iterable'],
          module: 'nodenext',
          strict: true,
          skipLibCheck: true,
          types: ['node'],
          typeRoots: [join(root, 'node_modules/@types')],
        },
        files: [entryPoint],
      },
    },
    apiReport: { enabled: false },
    dtsRollup: { enabled: false },
    docModel: { enabled: true, apiJsonFilePath: modelFile, includeForgottenExports: true },
  }
  return ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
  })
}

function extract(config: ExtractorConfig, compilerState: CompilerState): void {
  const errors: string[] = []
  Extractor.invoke(config, {
    compilerState,
    messageCallback: (message) => {
      // Other messages concern TSDoc syntax; the docstrings use JSDoc.
      if (message.category === 'Compiler') errors.push(message.text)
      message.handled = true
    },
  })
  if (errors.length > 0) {
    throw new Error(`cannot read ${config.mainEntryPointFilePath}: ${errors.join('; ')}`)
  }
}

function readItems(modelFile: string): readonly ApiItem[] {
  const { entryPoints } = new ApiModel().loadPackage(modelFile)
  return entryPoints.flatMap(({ members }) => members)
}
