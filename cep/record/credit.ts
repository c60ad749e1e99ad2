/** Source of the CNEFE, to be named wherever its data are shown. */
export const CENSUS_CREDIT =
  "Fonte: IBGE, Cadastro Nacional de Endereços para Fins Estatísticos " +
  "(CNEFE), Censo Demográfico 2022. Dados agregados por CEP por Carteiro.";
