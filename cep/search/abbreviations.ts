/** Words, folded, each followed by its abbreviations. */
const GROUPS = `
acesso ac
advogado adv
aeroporto aerop
alameda al alm
almirante alm almte
alto at
antiga ant
antigo ant
antonio ant
aparecida apda ap
arcebispo arceb
area a
arquiteta arq
arquiteto arq
associacao assoc
avenida av aven avd avda ave
aviador av
bairro b bo br bai
balneario bal baln
barao bar
beato bto
beco bc
bispo bpo
bloco bl blo
brigadeiro brig brg brigd
cabo cb
caminho cam
campo cpo cp
capitao cap cpt
cardeal card
centro ctr ctro
chacara ch chac
cidade cid
colonia col
comandante cmte com cmd
comendador com comend cdor
companhia cia
comunidade com
conceicao conc
conde cd
condessa cdsa
condominio cond cd
conego con cgo
conjunto cj conj cjto
conjuntos cjs
conselheiro cons consel
contra c
cooperativa coop
coracao cor
coronel cel cnel
corrego cor corr
curva crv
dentista dent
deputada dep
deputado dep
desembargador des desemb
desembargadora desa
distrito dt dist
dom d
dona d da
doutor dr d
doutora dra
doutores drs
duque dq
edificio ed edf
embaixador emb
empresario emp
encruzilhada enc
engenheira enga eng
engenheiro eng engo engenh
escadaria esc
escola esc
estacao est etc
estadual est estad
estancia esta
estrada est estr
expedicionario exp exped
farmaceutico farm
fazenda faz fz
federal fed feder
ferroviaria ferr ferrov
ferroviario ferr ferrov
filho fo f
fonte fte
forte ft
francisco fco
frei fr
galeria gal
general gen gal
governador gov
governadora gov
grande gde
guarda gda
habitacional hab
historiador hist
hospital hosp
igreja igr
ilha i
imaculada imac
imigrante imig
imperador imp
imperatriz imp
independencia indep
industria ind
industrial ind
infante inf
instituto inst
internacional int
interventor interv
irma ir
irmao ir
irmaos irs
jardim jd jdm jard
jardins jds jd
jornalista jorn
juiz jz
junior jr
juscelino j
ladeira ld lad
lago lg
lagoa lga
largo lg lgo lrg
ligacao lig
linha lin
lote lt
loteamento lot loteam
maestro mto maest
major maj mj mjr
manoel mel
manuel mel
marechal mal
margem mrg
maria m ma
marques mq
medico med
mercado merc
mestre me mtr
ministerio min
ministra min
ministro min
missionaria miss
missionario miss
monsenhor mons
monte mte mt
morro mr mro mrr
municipal mun
nacional nac
neto nto
norte n
nossa n nsa ns
nosso n
nova nv
novo nv
nucleo nuc
numero n no num
oeste o
ouvidor ouv
padre pe pdre
palacio pal
parada pda
parque pq prq pque pqe
particular part
passagem pas psg pass
pastor pr past
patio pat
perpetuo perp
poeta poet
pontal ptl
ponte pte
porto pto
povoado pov
praca pca pc pr
pracinha pcnha
praia pr
prefeita pref
prefeito pref
presidente pres pte presid
primeira prim
primeiro prim
princesa princ
principe princ
procurador proc
professor prof prf pro
professora profa prfa prof prof
projetada proj
promotor prom
quadra q qd qdr quad
quarta qta
quarteirao qrt
quarto qto
quilometro km
quilometros km
quinta qta
quinto qto
raimundo rdo
rainha rnh
recanto rec
regente reg
reitor rtor
republica rep
reserva res
reservista res
residencial res resid
retorno ret
reverendo rev
ribeirao rib
rio r
rodovia rod
rodoviaria rodov
rodoviario rodov
rotatoria rot
rua r
rural rur
sagrado sag
santa sta s
santissima sma ssma
santissimo smo ssmo
santo sto s
sao s st so
sargento sgt sarg sg
sebastiao seb
secretario sec
segunda seg
segundo seg
senador sen
senadora sen
senhor sr
senhora sra
servidao srv serv
setor st set seto
sexta sta
sindicato sind
sitio sit st
sobrinho sobr
socorro soc
soldado sd sold
subida sub
subsetor ss
sul s
superquadra sq sqd
tenente ten tte tnt
terceira terc
terceiro terc
terminal term
terra ter
terras ter
travessa tv trav tr trv
travessia tvs
trecho tre tr
trevo trv
tunel tun
unidade uni
universidade univ
urbano urb
usina us
vale vle vl
vereador ver
vereadora ver
vereda ver
via v
viaduto vd
vice vc
viela ve vl
vigario vig
vila vl vla v
vilarejo vilar
visconde visc vsc
viscondessa vscd
voluntario vol
zona zn
`;

/** Abbreviations that stand for several words. */
export const PHRASES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    nsra: ["nossa", "senhora"],
    nsenhora: ["nossa", "senhora"],
    // "Guará ll"
    ll: ["ii"],
    lll: ["iii"],
  }),
);

const BY_WORD = new Map<string, string[]>();

for (const line of GROUPS.trim().split("\n")) {
  const [word, ...abbreviations] = line.split(" ");
  for (const abbreviation of abbreviations) {
    link(word!, abbreviation);
    link(abbreviation, word!);
  }
}

function link(from: string, to: string): void {
  const found = BY_WORD.get(from) ?? [];
  found.push(to);
  BY_WORD.set(from, found);
}

const NONE: readonly string[] = [];

/** Returns the abbreviations of a word, and the words that it abbreviates. */
export function otherForms(word: string): readonly string[] {
  return BY_WORD.get(word) ?? NONE;
}
